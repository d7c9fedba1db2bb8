// npm run image [-- home|tools] [--out <folder>] [--ref <name:tag>] [--tree <folder>]
//
// Builds the images of a home as OCI layouts below dist/image, without a daemon and the same bytes each time: one for
// all services and the whole home, one for migrations and the command line. --tree writes an image's files instead, for
// the Dockerfile.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gatherImage, type ImageName, imageNames } from './images.ts';
import { writeLayout } from './oci.ts';
import { sizeOf } from './tar.ts';
import { unpack } from './unpack.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string' }, ref: { type: 'string' }, tree: { type: 'string' } },
});
const unknown = positionals.find((name) => !imageNames.includes(name as ImageName));
if (unknown !== undefined || (values.tree !== undefined && positionals.length !== 1)) {
  console.error(
    'npm run image [-- home|tools] [--out <folder>] [--ref <name:tag>] [--tree <folder>, for one of them]',
  );
  process.exitCode = 2;
} else {
  const names = positionals.length === 0 ? imageNames : (positionals as ImageName[]);
  for (const name of names) {
    const image = await gatherImage(root, name, values.ref);
    const megabytes = image.layers.reduce((sum, layer) => sum + sizeOf(layer), 0) / 1e6;
    if (values.tree !== undefined) {
      unpack(values.tree, image);
    } else {
      const folder = join(values.out ?? join(root, 'dist', 'image'), name);
      const digest = writeLayout(folder, image);
      console.log(`${image.reference}  ${digest}  ${megabytes.toFixed(1)} MB  ${folder}`);
    }
  }
}
