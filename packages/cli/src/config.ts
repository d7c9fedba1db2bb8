import { createReadStream, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@hearth/clock';
import type { Deps } from './deps.ts';
import { UsageError } from './failure.ts';

/** The tool's environment in this process. */
export function createDeps(): Deps {
  return {
    env: process.env,
    // `npm start` keeps a home's data in the project's folder, wherever the tool is called from.
    folders: [process.cwd(), fileURLToPath(new URL('../../..', import.meta.url))],
    readFile,
    readInput,
    fetch,
    clock: systemClock,
    print: (text) => process.stdout.write(`${text}\n`),
    complain: (text) => process.stderr.write(`${text}\n`),
  };
}

function readFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function readInput(path: string, mostBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of path === '-' ? process.stdin : createReadStream(path)) {
      chunks.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size > mostBytes) break;
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'file not found' : (error as Error).message;
    throw new UsageError(`cannot read ${path}: ${why}`);
  }
  return Buffer.concat(chunks).subarray(0, mostBytes + 1);
}
