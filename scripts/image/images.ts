import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Image } from './oci.ts';
import { dependencyLayer, sourceLayer } from './project.ts';
import { sbom } from './sbom.ts';
import { systemLayer } from './system.ts';
import { putFile, putText } from './tree.ts';

/**
 * `home` contains every service and the whole home; `tools` contains migrations and the command line, without Postgres.
 */
export const imageNames = ['home', 'tools'] as const;
export type ImageName = (typeof imageNames)[number];

/** Gathers an image from the project's current files, with its dependencies installed. */
export async function gatherImage(root: string, name: ImageName, reference?: string): Promise<Image> {
  const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const title = name === 'home' ? 'hearth' : 'hearth-tools';
  const system = await systemLayer(root);
  const dependencies = dependencyLayer(root, { postgres: name === 'home' });
  if (name === 'home') putFile(system.tree, 'bin/sh', join(root, 'deploy', 'image', 'postgres-sh'));
  const source = sourceLayer(root);
  const components = [...system.components, ...dependencies.components];
  putText(source, 'app/sbom.cdx.json', sbom(title, version, components));
  return {
    reference: reference ?? `localhost/${title}:${version}`,
    layers: [system.tree, dependencies.tree, source],
    command: name === 'home' ? ['home'] : ['hearth', '--help'],
    labels: {
      'org.opencontainers.image.title': title,
      'org.opencontainers.image.version': version,
      'org.opencontainers.image.licenses': license,
    },
  };
}
