// What the dashboard reads from the server, asked for while the modules that show it are still on their way.

import { params } from "../shell/address.js";
import { start } from "../shell/session.js";
import { follow } from "./journal.js";

start();
if ((params().view ?? "requests") === "requests") follow();
