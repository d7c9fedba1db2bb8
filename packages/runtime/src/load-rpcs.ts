import type { DescService } from '@bufbuild/protobuf';
import { internal } from '@hearth/errors';
import type { Handlers } from '@hearth/rpc';

/**
 * Loads a service's handlers, each from the file with its name: `ListGroups` is `listGroups` of `rpc/list-groups.ts`, a
 * function from the module's context to its handler.
 *
 * @param beside the module's `import.meta.url`
 * @throws internal for an rpc without such a file or function
 */
export async function loadRpcs<S extends DescService>(
  service: S,
  beside: string,
  context: unknown,
): Promise<Handlers<S>> {
  const entries = await Promise.all(
    service.methods.map(async ({ localName }) => {
      const file = new URL(`./rpc/${kebab(localName)}.ts`, beside);
      const rpc = await importRpc(file, `${service.typeName}/${localName}`);
      const make = rpc[localName];
      if (typeof make !== 'function') {
        throw internal(
          `${file.pathname} must export the function ${localName}, from the context to its handler`,
        );
      }
      return [localName, make(context)] as const;
    }),
  );
  return Object.fromEntries(entries) as Handlers<S>;
}

async function importRpc(file: URL, rpc: string): Promise<Record<string, unknown>> {
  try {
    return await import(file.href);
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw internal(`${rpc} has no handler, or a module that it imports is missing: ${file.pathname}`, error);
  }
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
