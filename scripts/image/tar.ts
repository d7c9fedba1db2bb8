import { createHash } from 'node:crypto';
import { closeSync, lstatSync, openSync, readFileSync, writeSync } from 'node:fs';
import { type Entry, inOrder, type Tree } from './tree.ts';

/** A blob in a layout, which registries address by digest. */
export interface Written {
  digest: string;
  size: number;
}

/** Writes a tree as a tar: the same bytes for the same files, without owner, time or order of the machine. */
export function writeTar(path: string, tree: Tree): Written {
  const file = openSync(path, 'w');
  const hash = createHash('sha256');
  let size = 0;
  const write = (bytes: Buffer) => {
    writeSync(file, bytes);
    hash.update(bytes);
    size += bytes.length;
  };
  try {
    for (const [name, entry] of inOrder(tree)) {
      const content = contentOf(entry);
      for (const block of headersOf(name, entry, content.length)) write(block);
      write(content);
      write(Buffer.alloc(padding(content.length)));
    }
    write(Buffer.alloc(1024));
  } finally {
    closeSync(file);
  }
  return { digest: `sha256:${hash.digest('hex')}`, size };
}

function contentOf(entry: Entry): Buffer {
  if (entry.type !== 'file') return Buffer.alloc(0);
  return 'bytes' in entry ? entry.bytes : readFileSync(entry.from);
}

export function sizeOf(tree: Tree): number {
  let sum = 0;
  for (const entry of tree.values()) {
    if (entry.type === 'file') sum += 'bytes' in entry ? entry.bytes.length : lstatSync(entry.from).size;
  }
  return sum;
}

const padding = (size: number) => (512 - (size % 512)) % 512;

function headersOf(name: string, entry: Entry, size: number): Buffer[] {
  const path = entry.type === 'folder' ? `${name}/` : name;
  const target = entry.type === 'link' ? entry.target : '';
  const short = Buffer.byteLength(path) <= 100 && Buffer.byteLength(target) <= 100;
  if (short) return [header(path, entry, target, size)];
  // Names too long for the old header go into a pax record before it.
  const records = record('path', path) + (target === '' ? '' : record('linkpath', target));
  const body = Buffer.concat([Buffer.from(records), Buffer.alloc(padding(Buffer.byteLength(records)))]);
  return [
    header('pax', 'pax', '', Buffer.byteLength(records)),
    body,
    header(path.slice(-90).replace(/^\/+/, ''), entry, target.slice(0, 100), size),
  ];
}

/** `<length> key=value\n`, where the length counts its own digits. */
function record(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  let length = Buffer.byteLength(rest);
  while (Buffer.byteLength(`${length}${rest}`) !== length) length = Buffer.byteLength(`${length}${rest}`);
  return `${length}${rest}`;
}

const flags = { file: '0', link: '2', folder: '5', pax: 'x' } as const;

function header(name: string, entry: Entry | 'pax', target: string, size: number): Buffer {
  const block = Buffer.alloc(512);
  const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, '0')}\0`;
  const mode = entry === 'pax' ? 0o644 : entry.type === 'link' ? 0o777 : entry.mode;
  block.write(name, 0);
  block.write(octal(mode, 8), 100);
  block.write(octal(0, 8), 108);
  block.write(octal(0, 8), 116);
  block.write(octal(size, 12), 124);
  block.write(octal(0, 12), 136);
  block.write(' '.repeat(8), 148);
  block.write(flags[entry === 'pax' ? 'pax' : entry.type], 156);
  block.write(target, 157);
  block.write('ustar\x0000', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}
