import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url));

/** Runs hearth record verify with the record on standard input. */
export function verifyRecord(
  record: unknown,
  args: string[],
): Promise<{ code: number | null; out: string; err: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--no-warnings', program, 'record', 'verify', '-', ...args], {
      env: {},
    });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    child.on('close', (code) => resolve({ code, out, err }));
    child.stdin.end(JSON.stringify(record));
  });
}
