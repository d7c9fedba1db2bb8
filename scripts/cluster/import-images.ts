import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { images, nodeName, state } from './settings.ts';

export const socketOf = (node: number) => join(state, nodeName(node), 'containerd.sock');

/** Imports the images that a node lacks; `shell` runs a line within the cluster. */
export function importImages(node: number, shell: (line: string) => string): void {
  const ctr = `ctr -a ${socketOf(node)} -n k8s.io images`;
  const isEmpty = shell(`${ctr} ls -q`).trim() === '';
  for (const file of readdirSync(images).filter((name) => name.endsWith('.tar'))) {
    const digest = readFileSync(join(images, file.replace('.tar', '.digest')), 'utf8');
    const mark = join(state, nodeName(node), `${file}.taken`);
    if (!isEmpty && existsSync(mark) && readFileSync(mark, 'utf8') === digest) continue;
    shell(`${ctr} import ${join(images, file)}`);
    writeFileSync(mark, digest);
  }
}
