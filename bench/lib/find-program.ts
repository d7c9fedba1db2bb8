import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The project's own copy of a program when there is one, else the name for the PATH. */
export function findProgram(name: string): string {
  const own = join(import.meta.dirname, '..', '..', '.cache', 'bin', name);
  return existsSync(own) ? own : name;
}
