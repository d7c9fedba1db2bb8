import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/** A process group's signal also reaches npm, which forwards it: the child must receive it only once. */
const echoMilliseconds = 1_000;

/**
 * Runs a program in this one's place: same streams, signals forwarded, and waits for it however long it drains.
 * Resolves to its exit code; 128 + the signal's number if a signal ended it, as in a shell.
 */
export function runInPlace(program, args, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit', env });
    const lastSent = new Map();
    const onTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
    const forward = (signal) => {
      // A terminal sends Ctrl-C to the child as well.
      if (signal === 'SIGINT' && onTerminal) return;
      const now = performance.now();
      if (now - (lastSent.get(signal) ?? -Infinity) < echoMilliseconds) return;
      lastSent.set(signal, now);
      child.kill(signal);
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, forward);
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}
