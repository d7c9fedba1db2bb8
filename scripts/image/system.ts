import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fetchFromDebian } from '../tools/debian.mjs';
import { fetchNode } from '../with-node/runtime.mjs';
import { put, putFile, putText, type Tree } from './tree.ts';

/** A third-party component in the image, for its SBOM. */
export interface Component {
  name: string;
  version: string;
  purl: string;
  licence: string;
}

/** Node is linked only against these, and npm's Postgres against no others besides those that it contains. */
const libraries = ['libc6', 'libgcc-s1', 'libstdc++6'];
const neededFiles =
  /^(ld-linux.*|lib(c|dl|m|pthread|rt|resolv|nss_dns|nss_files|gcc_s|stdc\+\+))\.so\.\d+(\.[\d.]+)?$/;

/** The layer that changes with Node or Debian: Node from npm, its libraries, and the accounts. */
export async function systemLayer(root: string): Promise<{ tree: Tree; components: Component[] }> {
  const tree: Tree = new Map();
  putText(tree, 'etc/passwd', 'root:x:0:0::/:/none\nhome:x:65532:65532::/tmp:/none\n');
  putText(tree, 'etc/group', 'root:x:0:\nhome:x:65532:\n');
  putText(tree, 'etc/nsswitch.conf', 'hosts: files dns\n');
  // Mount points of a read-only root's volumes.
  put(tree, 'tmp', { type: 'folder', mode: 0o1777 });
  put(tree, 'data', { type: 'folder', mode: 0o1777 });
  const components = [await putNode(tree, root), ...(await putLibraries(tree, root))];
  return { tree, components };
}

async function putNode(tree: Tree, root: string): Promise<Component> {
  if (process.platform !== 'linux')
    throw new Error('Images are made on Linux, for the processor of the machine.');
  // The version pinned in tools/node, whichever runs this script.
  const program = await fetchNode(root, 'An image has the Node that tools/node pins');
  const folder = join(program, '..', '..');
  putFile(tree, 'usr/bin/node', program);
  putFile(tree, 'usr/share/doc/node/LICENSE', join(folder, 'LICENSE'));
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return { name: 'node', version, purl: `pkg:npm/${name}@${version}`, licence: 'MIT' };
}

async function putLibraries(tree: Tree, root: string): Promise<Component[]> {
  const folder = await fetchFromDebian(root, 'image/libraries', libraries);
  for (const below of ['lib', 'usr/lib', 'lib64']) {
    for (const file of filesBelow(join(folder, below))) {
      const name = basename(file);
      if (neededFiles.test(name)) putFile(tree, targetOf(name), realpathSync(join(folder, below, file)));
    }
  }
  const bases = new Set(libraries.map((name) => basename(documentsOf(folder, name))));
  const documents = await fetchFromDebian(root, 'image/documents', [...bases]);
  return libraries.map((name) => {
    const base = basename(documentsOf(folder, name));
    const copyright = join(documents, 'usr', 'share', 'doc', base, 'copyright');
    putFile(tree, `usr/share/doc/${name}/copyright`, copyright);
    const version = readFileSync(join(folder, `${name}.version`), 'utf8').trim();
    return {
      name,
      version,
      purl: `pkg:deb/debian/${name}@${encodeURIComponent(version)}`,
      licence: name === 'libc6' ? 'LGPL-2.1-or-later' : 'GPL-3.0-or-later WITH GCC-exception-3.1',
    };
  });
}

/** Where a package has its licence: GCC's libraries link to the folder of a shared package. */
function documentsOf(folder: string, name: string): string {
  const place = join(folder, 'usr', 'share', 'doc', name);
  return lstatSync(place).isSymbolicLink() ? readlinkSync(place) : place;
}

/** Where programs look for it: the loader's path is built into them, the other libraries are found next to it. */
function targetOf(name: string): string {
  const folders = { x64: ['lib64', 'lib/x86_64-linux-gnu'], arm64: ['lib', 'lib/aarch64-linux-gnu'] };
  const [loader, others] = folders[process.arch as 'x64' | 'arm64'] as [string, string];
  return `${name.startsWith('ld-linux') ? loader : others}/${name}`;
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
}
