import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const projectFolder = join(import.meta.dirname, '..', '..', '..');

function runs(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the path of a server's program: the project's own copy, or else the one in PATH. Throws if neither exists.
 */
export function findBinary(name: string): string {
  const folders = [join(projectFolder, '.cache', 'bin'), ...(process.env['PATH'] ?? '').split(delimiter)];
  const found = folders.map((folder) => join(folder, name)).find(runs);
  if (found === undefined) {
    throw new Error(`${name} is neither in .cache/bin nor on the PATH; run: npm run tools -- ${name}`);
  }
  return found;
}
