import type { Tree } from './tree.ts';

/** A file's place in a service. */
export interface Place {
  service: string;
  /** Null in shared/, and for main.ts and service.ts. */
  module: string | null;
  kind:
    | 'main'
    | 'service'
    | 'loose'
    | 'module'
    | 'context'
    | 'rpc'
    | 'consumers'
    | 'jobs'
    | 'actions'
    | 'domain'
    | 'db'
    | 'shared'
    | 'free';
}

const folders = ['rpc', 'consumers', 'jobs', 'actions', 'domain', 'db'] as const;

/** Null outside services/<service>/src. */
export function placeOf(path: string): Place | null {
  const [, service, rest] = /^services\/([\w-]+)\/src\/(.+)$/.exec(path) ?? [];
  if (service === undefined || rest === undefined) return null;
  const [room, folder, ...below] = rest.split('/') as [string, ...string[]];
  if (folder === undefined) {
    const kind = room === 'main.ts' ? 'main' : room === 'service.ts' ? 'service' : 'loose';
    return { service, module: null, kind };
  }
  const module = room === 'shared' ? null : room;
  const kind = below.length > 0 ? folders.find((name) => name === folder) : undefined;
  if (kind !== undefined) return { service, module, kind };
  if (module === null) return { service, module, kind: 'shared' };
  if (folder === 'module.ts') return { service, module, kind: 'module' };
  return { service, module, kind: folder === 'context.ts' ? 'context' : 'free' };
}

export function placeWords({ kind, module }: Place): string {
  if (kind === 'free' || kind === 'module') return `the module ${module}`;
  return kind === 'context' ? 'context.ts' : `${kind}/`;
}

/** Every service of the repository: the folders in services/. */
export function serviceNamesOf({ paths }: Tree): string[] {
  return [...paths].flatMap((path) => /^services\/([\w-]+)$/.exec(path)?.[1] ?? []).sort();
}
