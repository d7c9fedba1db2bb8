import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type DescMessage, getOption, hasOption } from '@bufbuild/protobuf';
import { operation } from '@hearth/proto/options';
import { services } from '@hearth/proto/services';

const file = createRequire(import.meta.url).resolve('@hearth/proto/operations');
const routes = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split(' ') as [method: string, path: string, id: string, open?: 'open']);

/**
 * Every operation that clients rely on, by operationId, method and path: `npm run gen` never removes any from that
 * file.
 */
export const operations = routes.map(([method, path, id]) => [id, method, path] as const);

/** Operations that need no key. */
export const open: ReadonlySet<string> = new Set(
  routes.filter((route) => route[3] === 'open').map(([, , id]) => id),
);

/** An operation's declared request. */
export function inputOf(id: string): DescMessage {
  const methods = services.flatMap((service) => service.methods);
  const method = methods.find((each) => hasOption(each, operation) && getOption(each, operation).id === id);
  if (method === undefined) throw new Error(`${id} is not declared`);
  return method.input;
}

/** The path with parameters filled in: a well-formed id or address of nothing. */
export function somePath(template: string): string {
  const kinds: [string, string][] = [
    ['/ais/', 'ai'],
    ['/app/deliveries/', 'evt'],
    ['/groups/', 'grp'],
    ['/notes/', 'nte'],
    ['/people/', 'per'],
    ['/threads/', 'thr'],
  ];
  const id = kinds.find(([part]) => template.includes(part))?.[1] ?? 'msg';
  return template
    .replace('{address}', '@free-zzzzzz.ai-robin')
    .replace('{code}', '0'.repeat(22))
    .replace('{event}', `evt_${'0'.repeat(32)}`)
    .replace('{subscription}', `sub_${'0'.repeat(32)}`)
    .replace('{person}', `per_${'0'.repeat(32)}`)
    .replace('{id}', `${id}_${'0'.repeat(32)}`);
}
