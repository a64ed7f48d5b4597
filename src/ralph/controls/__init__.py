"""Controls: measurements that test the test run itself, because what is judged could have arranged how it is measured.

A test runner loads files of the tree under judgement: a few lines there make every test pass, in the exit code and in
the report. No rule over text sees all of that, so the run is compared with other runs that the same lines cannot
please at the same time (research: governance and gaming, 4.3 to 5):

- `inventory`: the tests that ran on the base still run, and are not skipped;
- `canary`: in a copy of the tree, tests that must fail fail, tests that must pass pass, and the project's own tests end
  as they do in place;
- `restored`: with the base's conftest, runner configuration, helpers and scripts the tests come to the same results;
- `negative`: new and changed tests fail on the base's source, else they show nothing of the change;
- `former`: a changed test that asks nothing of the change holds as it stood on the base, too;
- `suppressions`: the linter, asked to honour no suppression, finds no more than on the base;
- `mutants`: faults put into the changed lines are found.

This room only says what to run and judges what came of it; `ralph.engine.controlled` runs it, in copies of the tree
beside the user's, while the steps run. What is odd on the base as well is not the change's doing: it is shown.
"""
