import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const withNode = join(import.meta.dirname, '..', 'with-node.mjs');

/** Without a terminal, which would send the entry its own Ctrl-C. */
function start(...args: string[]) {
  const child = spawn(process.execPath, [withNode, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  return {
    child,
    output: () => output,
    closed: once(child, 'close') as Promise<[code: number | null, signal: string | null]>,
    says: async (words: string) => {
      while (!output.includes(words)) await once(child.stdout, 'data');
    },
  };
}

describe('with-node', () => {
  test('runs an entry with its arguments and exits with its code', async () => {
    const run = start('-e', 'console.log(process.argv.slice(1).join()); process.exitCode = 7', 'a', 'b c');
    expect(await run.closed).toEqual([7, null]);
    expect(run.output()).toBe('a,b c\n');
  });

  test('exits like a shell after a signal to the entry', async () => {
    const run = start('-e', "process.kill(process.pid, 'SIGKILL')");
    expect(await run.closed).toEqual([137, null]);
  });

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'forwards %s once and waits for the drain',
    async (signal) => {
      const program = `
      let heard = 0;
      process.on('${signal}', () => {
        heard += 1;
        setTimeout(() => { console.log('drained after', heard); clearInterval(work); }, 300);
      });
      const work = setInterval(() => {}, 1000);
      console.log('ready');`;
      const run = start('-e', program);
      await run.says('ready');
      run.child.kill(signal);
      await new Promise((resolve) => setTimeout(resolve, 50));
      run.child.kill(signal);
      expect(await run.closed).toEqual([0, null]);
      expect(run.output()).toContain('drained after 1\n');
    },
  );
});
