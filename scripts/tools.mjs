// npm run tools [-- <name...>]
//
// Puts programs that tests and load tests need into .cache/bin: nats-server, k6 and helm, built as go.mod below
// tools pins them, redis-server, chromium, and pg_dump with pg_restore. Programs that are there already stay. Without a name it lists them.
import { ensureTools, toolNames } from './tools/ensure-tools.mjs';

const names = process.argv.slice(2);
if (names.length === 0) {
  console.log(
    `npm run tools -- <name...> puts programs into .cache/bin.\nThere are: ${toolNames.join(', ')}`,
  );
} else {
  try {
    await ensureTools(names);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
