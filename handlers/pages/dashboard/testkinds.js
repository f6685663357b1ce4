// The kinds of tests that requests can be copied as. Each is a complete file, which uses our packages.

import { digits } from "./testexact.js";
import { go } from "./testgo.js";
import { junit } from "./testjava.js";
import { pytest } from "./testpython.js";
import { playwright, vitest } from "./testscript.js";

export { readPlan } from "./testread.js";

/** @typedef {(plan: import("./testplan.js").Plan) => string} Write */

/** @param {Write} write @param {string} file */
const kind = (write, file) => ({ write: /** @type {Write} */ ((plan) => digits(write(plan))), file });

/** @type {Record<string, {write: Write, file: string}>} */
export const kinds = {
  vitest: kind(vitest, "copied.test.ts"),
  Playwright: kind(playwright, "copied.spec.ts"),
  pytest: kind(pytest, "test_copied.py"),
  JUnit: kind(junit, "CopiedTest.java"),
  Go: kind(go, "copied_test.go"),
};
