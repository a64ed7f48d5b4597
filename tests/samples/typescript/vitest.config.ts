import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    coverage: {
      provider: "v8",
      include: ["src/**"],
      reporter: ["lcov"],
      thresholds: { lines: 80 },
    },
  },
});
