// Starts the first requests of the dashboard while its other modules are still loading.

import { params } from "../shell/address.js";
import { start } from "../shell/session.js";
import { follow } from "./journal.js";

start();
if ((params().view ?? "requests") === "requests") follow();
