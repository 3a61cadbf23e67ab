// Parses JSON with the TypeScript SDK's own schemas.
//
//     node parse.mjs SDK_FOLDER
//
// stdin has one request a line: {"edition", "type", "text"}; stdout gets one answer for each, in order:
// {"parsed": value}, or {"issues": ["path: message", ...]} where the SDK refuses the text.

import { createInterface } from "node:readline";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [sdk] = process.argv.slice(2);
const schemas = {};
for (const edition of ["v1", "v2"]) {
  // Not among the package's exports, yet it is what its connections parse every message with.
  schemas[edition] = await import(pathToFileURL(join(sdk, "dist", edition, "schema", "zod.gen.js")));
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const { edition, type, text } = JSON.parse(line);
  const result = schemas[edition][`z${type}`].safeParse(JSON.parse(text));
  const answer = result.success
    ? { parsed: result.data }
    : { issues: result.error.issues.map(({ path, message }) => `${path.join("/")}: ${message}`) };
  process.stdout.write(JSON.stringify(answer) + "\n");
}
