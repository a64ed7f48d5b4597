export function mean(values: readonly number[]): number {
  if (values.length === 0) {
    throw new RangeError("no values");
  }
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
