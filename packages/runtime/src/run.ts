import { flushCompileCache } from 'node:module';
import { describe, helpText, homeDeclaration } from '@hearth/config';
import { collectWhenQuiet, setGarbageCollection } from './collect-garbage.ts';
import { explain } from './explain.ts';
import type { ServiceDefinition } from './service.ts';
import { type Home, startHome } from './start-home.ts';

/** Longer than a whole stop may take besides HEARTH_DRAIN_SECONDS; anything unfinished is left to the next start. */
const stopBoundMs = 25_000;

/**
 * Runs these services until SIGTERM or SIGINT. Every entry point of the project calls this; only this touches the
 * process: its environment, signals and exit code.
 */
export async function run(
  services: readonly ServiceDefinition[],
  onReady?: (home: Home) => void,
): Promise<void> {
  if (process.argv.includes('--help')) {
    process.stdout.write(`${helpText(describe(homeDeclaration))}\n`);
    return;
  }
  setGarbageCollection();
  let home: Home | undefined;
  const asked = new AbortController();
  const stop = () => {
    asked.abort();
    if (home !== undefined) void stopWithin(home);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  try {
    // biome-ignore lint/plugin: the entry point of every process; from here on the environment is an argument.
    home = await startHome(services, process.env, { signal: asked.signal });
  } catch (error) {
    if (asked.signal.aborted) return;
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
    return;
  }
  if (asked.signal.aborted) return stop();
  collectWhenQuiet();
  onReady?.(home);
  // Node writes it only at exit, so a killed process would compile everything again at its next start.
  flushCompileCache();
}

async function stopWithin(home: Home): Promise<void> {
  // Unreferenced: it fires only when something keeps the process from ending by itself.
  // biome-ignore lint/plugin: the last resort, when the ordinary end does not come.
  setTimeout(() => process.exit(1), stopBoundMs + home.config.drainSeconds * 1_000).unref();
  try {
    await home.stop();
    process.exitCode = 0;
  } catch {
    process.exitCode = 1;
  }
}
