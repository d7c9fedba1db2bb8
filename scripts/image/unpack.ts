import { chmodSync, copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Image } from './oci.ts';
import { inOrder } from './tree.ts';

/** Writes an image's files into a folder, as a container would see them below its root. */
export function unpack(folder: string, { layers }: Pick<Image, 'layers'>): void {
  mkdirSync(folder, { recursive: true });
  for (const layer of layers) {
    for (const [path, entry] of inOrder(layer)) {
      const target = join(folder, path);
      if (entry.type === 'folder') mkdirSync(target, { recursive: true });
      else if (entry.type === 'link') symlinkSync(entry.target, target);
      else if ('bytes' in entry) writeFileSync(target, entry.bytes);
      else copyFileSync(entry.from, target);
      if (entry.type !== 'link') chmodSync(target, entry.mode);
    }
  }
}
