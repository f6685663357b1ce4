// The kinds of tests that requests can be copied as. Each is a complete file, which uses our packages.

import { go } from "./testgo.js";
import { junit } from "./testjava.js";
import { pytest } from "./testpython.js";
import { playwright, vitest } from "./testscript.js";

export { readPlan } from "./testread.js";

/** @type {Record<string, {write: (plan: import("./testplan.js").Plan) => string, file: string}>} */
export const kinds = {
  vitest: { write: vitest, file: "copied.test.ts" },
  Playwright: { write: playwright, file: "copied.spec.ts" },
  pytest: { write: pytest, file: "test_copied.py" },
  JUnit: { write: junit, file: "CopiedTest.java" },
  Go: { write: go, file: "copied_test.go" },
};
