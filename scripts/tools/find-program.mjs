import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of the first program with that name in the folders of `path`; undefined if none has it. */
export function findProgram(name, path = process.env.PATH ?? '') {
  return path
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find(isProgram);
}

export function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
