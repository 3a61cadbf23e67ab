// A v2 client on the TypeScript SDK: starts an agent, has a whole conversation with it and prints what it saw.
//
//     node v2_client.mjs COMMAND [ARGUMENT ...]
//
// COMMAND speaks v2 on its stdin and stdout. Every line printed is one JSON object; `saw` says what it is about.

import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import * as acp from "@agentclientprotocol/sdk/experimental/v2";

const { initialize, session } = acp.methods.agent;

function saw(what, details) {
  process.stdout.write(JSON.stringify({ saw: what, ...details }) + "\n");
}

/** Sends a prompt and comes back when the agent is idle; `onUpdate` sees every update on the way. */
async function turn(active, text, onUpdate = () => {}) {
  const inserted = active.prompt(text).then(({ messageId }) => saw("prompt inserted", { messageId }));
  for (;;) {
    const message = await active.nextUpdate();
    if (message.kind === "stop") break;
    await onUpdate(message.update);
  }
  await inserted;
}

async function conversation(agent) {
  const { protocolVersion, info, capabilities } = await agent.request(initialize, {
    protocolVersion: acp.PROTOCOL_VERSION,
    info: { name: "bridge-proxy-example", version: "1.0.0" },
    capabilities: {},
  });
  saw("initialized", { protocolVersion, info, capabilities });

  await agent.buildSession("/project").withSession(async (active) => {
    const { sessionId } = active;
    saw("session", { sessionId, configOptions: active.configOptions });

    await turn(active, "Update the greeting");
    await turn(active, "wait until I cancel", async (update) => {
      if (acp.SessionUpdate.isToolCallUpdate(update) && update.status === "in_progress") {
        await agent.notify(session.cancel, { sessionId });
      }
    });

    const { sessions } = await agent.request(session.list, {});
    saw("sessions", { sessions });
    await agent.request(session.close, { sessionId });
    saw("session closed", { sessionId });
  });
}

const [command, ...args] = process.argv.slice(2);
if (command === undefined) {
  process.stderr.write("usage: node v2_client.mjs COMMAND [ARGUMENT ...]\n");
  process.exit(2);
}
const peer = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
const ended = new Promise((resolve) => peer.on("close", resolve));
peer.on("error", (error) => {
  process.stderr.write(`${command} does not start: ${error.message}\n`);
  process.exit(1);
});

// The handlers run in the order in which messages arrive, so what they print is the order on the wire.
const client = acp
  .client({ name: "bridge-proxy-example" })
  .onNotification(acp.methods.client.session.update, ({ params }) => saw("update", { update: params.update }))
  .onRequest(acp.methods.client.session.requestPermission, ({ params }) => {
    const { title, subject, options } = params;
    saw("permission request", { title, subject, options });
    const allow = options.find((option) => option.kind === "allow_once");
    return { outcome: allow ? { outcome: "selected", optionId: allow.optionId } : { outcome: "cancelled" } };
  });

await client.connectWith(acp.ndJsonStream(Writable.toWeb(peer.stdin), Readable.toWeb(peer.stdout)), conversation);
peer.stdin.end();
saw("end", { exitCode: await ended });
