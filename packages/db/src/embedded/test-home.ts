import { startEmbeddedPostgres } from './start.ts';

/**
 * A home that consists of its Postgres only, as a separate process for tests to kill. Prints one line of JSON, then
 * waits for the word `stop`, `leave` (exit without stopping) or the end of its input.
 */
const [folder, packageFolder] = process.argv.slice(2);
const say = (answer: object) => process.stdout.write(`${JSON.stringify(answer)}\n`);

try {
  const server = await startEmbeddedPostgres({ folder: folder!, packageFolder });
  say({ url: server.url, pid: server.pid });
  process.stdin.on('data', async (word) => {
    if (String(word).trim() === 'leave') process.exit(0);
    await server.stop();
    process.stdin.destroy();
  });
} catch (error) {
  say({ error: (error as Error).message });
}
