// The page at /.

import { run } from "../shell/shell.js";

run([
  { name: "requests", title: "Requests", load: () => import("./requests.js") },
]);
