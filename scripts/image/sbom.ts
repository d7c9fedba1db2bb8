import type { Component } from './system.ts';

/**
 * A CycloneDX list of all third-party components in the image, without times and random numbers, for a stable digest.
 */
export function sbom(name: string, version: string, components: readonly Component[]): string {
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: { type: 'container', name, version, licenses: [{ expression: 'Apache-2.0' }] },
    },
    components: components.map((component) => ({
      type: 'library',
      'bom-ref': component.purl,
      name: component.name,
      version: component.version,
      purl: component.purl,
      licenses: [{ expression: component.licence }],
    })),
  };
  return `${JSON.stringify(document, null, 1)}\n`;
}
