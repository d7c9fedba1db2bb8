import { startEmbeddedPostgres } from './start.ts';

/**
 * A home that has nothing but its Postgres, as a process of its own for tests to kill. Says one line of JSON
 * on standard output, then waits for the word `stop`, `leave` (end without stopping) or its end.
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
