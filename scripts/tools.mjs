// npm run tools [-- <name...>]
//
// Puts programs for tests and load tests into .cache/bin: nats-server, k6 and helm, built as pinned in go.mod below
// tools, redis-server, chromium, and pg_dump with pg_restore. Keeps existing programs. Without a name, lists them.
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
