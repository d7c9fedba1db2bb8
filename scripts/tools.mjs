// node scripts/tools.mjs <name...>
//
// Puts programs that tests and load tests need into .cache/bin: nats-server and k6, built as tools/go.mod pins
// them, redis-server and chromium. Programs that are there already stay.
import { ensureTools } from './tools/ensure-tools.mjs';

try {
  await ensureTools(process.argv.slice(2));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
