import { type DescMethod, getOption } from '@bufbuild/protobuf';
import { http } from '@hearth/proto/google/api/annotations';
import { CallerKind } from '@hearth/proto/options';
import { services } from '@hearth/proto/services';
import { declarationOf } from '@hearth/proto-json';
import { badValue, goodMessage, goodValue, type Source } from './values.ts';

/** A declared operation at one of its routes. */
export interface Route {
  id: string;
  method: string;
  /** "/v0/ais/{id}" */
  template: string;
  hasBody: boolean;
  desc: DescMethod;
  /** The kinds of caller that may call it: "ai", "person", ... */
  callers: ReadonlySet<string>;
  tool: boolean;
  /** The longest time that an answer may take as declared, in seconds. */
  timeoutSeconds: number;
  longestWaitSeconds: number;
}

/** Every declared operation, so that new ones are included automatically. */
export const routes: readonly Route[] = services.flatMap((service) => service.methods.flatMap(routesOf));

function routesOf(desc: DescMethod): Route[] {
  const option = declarationOf(desc);
  if (option === undefined) return [];
  const rule = getOption(desc, http);
  return [rule, ...rule.additionalBindings].map(({ pattern, body }) => ({
    id: option.id,
    method: String(pattern.case).toUpperCase(),
    template: String(pattern.value),
    hasBody: body === '*',
    desc,
    callers: new Set(option.callers.map((kind) => CallerKind[kind].toLowerCase())),
    tool: option.tool,
    timeoutSeconds: option.timeoutSeconds || 5,
    longestWaitSeconds: option.longestWaitSeconds,
  }));
}

/** A request as sent over the wire. */
export interface WireRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | Buffer;
}

const kindsAtPath: readonly [string, readonly string[]][] = [
  ['/ais/', ['ai']],
  ['/groups/', ['grp']],
  ['/people/', ['per', 'shp']],
  ['/notes/', ['nte']],
  ['/threads/', ['thr']],
  ['/messages/', ['msg']],
  ['/approvals/', ['apr', 'apr', 'inv', 'msg']],
  ['/requests/', ['apr', 'msg', 'inv']],
  ['/request-rules/', ['rrp', 'prp']],
  ['/reports/', ['rpt']],
  ['/records/', ['rec']],
  ['/invites/', ['inv', 'code']],
  ['/deliveries/', ['evt']],
  ['/sessions/', ['ses']],
  ['/passkeys/', ['psk', 'pky']],
];

/** The kinds of ids that fit {id} in a path. */
export function kindsAt(template: string): readonly string[] {
  return kindsAtPath.find(([part]) => template.includes(part))?.[1] ?? ['per', 'ai', 'grp'];
}

/** A call's fields: valid, or with some of them spoilt. Waits last a second at most. */
export function makeFields({ desc, longestWaitSeconds }: Route, source: Source): Record<string, unknown> {
  const { random } = source;
  const fields = goodMessage(desc.input, source);
  if (desc.input.fields.length > 0) {
    const spoilt = random.pick([0, 0, 0, 0, 1, 1, 3]);
    for (let count = 0; count < spoilt; count += 1) {
      const field = random.pick(desc.input.fields);
      if (random.chance(0.1)) delete fields[field.name];
      else fields[field.name] = badValue(field, source);
    }
  }
  if (random.chance(0.02)) fields[random.pick(['no_such', '__proto__x', 'constructor', 'Limit'])] = 1;
  if (longestWaitSeconds > 0) fields['wait'] = random.pick([0, 0, 0, 1, -1, 'x', 1.5]);
  return fields;
}

/** Path fields in the path, and the others in the body or query. */
export function makeRequest(route: Route, source: Source): WireRequest {
  const { random } = source;
  const fields = makeFields(route, source);
  const inPath = [...route.template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const path = route.template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const field = route.desc.input.fields.find((each) => each.name === name);
    const value = fields[name] ?? (field === undefined ? 'x' : goodValue(field, source));
    return inSegment(value, source);
  });
  const others = Object.entries(fields).filter(([name]) => !inPath.includes(name));
  const headers = spareHeaders(source);
  if (!route.hasBody) return { method: route.method, path: path + queryOf(others, source), headers };
  const json = JSON.stringify(Object.fromEntries(others));
  const type = random.chance(0.98)
    ? 'application/json'
    : random.pick(['text/plain', 'application/xml', 'x', '']);
  if (type !== '') headers['content-type'] = type;
  const target = path + (random.chance(0.02) ? '?limit=1' : '');
  return { method: route.method, path: target, headers, body: bodyOf(json, source) };
}

/** One path segment, mostly escaped correctly; never so that it would become another operation's path. */
function inSegment(value: unknown, { random }: Source): string {
  const text = (typeof value === 'object' ? JSON.stringify(value) : String(value))
    .toWellFormed()
    .slice(0, 6_000);
  const escaped = encodeURIComponent(text) || '%20';
  if (random.chance(0.97)) return escaped === '.' || escaped === '..' ? '%2E%2E' : escaped;
  return random.pick([
    '..',
    '%2e%2e',
    '%00',
    '%ff',
    '%c0%af',
    `..%2f${escaped}`,
    `${escaped}%2f`,
    '%',
    '%zz',
    ';a=b',
  ]);
}

function queryOf(fields: readonly [string, unknown][], { random }: Source): string {
  const pairs = fields.flatMap(([name, value]) => {
    const items = (Array.isArray(value) ? value : [value]).slice(0, 200);
    return items.map((item) => {
      const text = (
        item !== null && typeof item === 'object' ? JSON.stringify(item) : String(item)
      ).toWellFormed();
      return `${encodeURIComponent(name)}=${encodeURIComponent(text.slice(0, 4_000))}`;
    });
  });
  if (pairs.length > 0 && random.chance(0.03)) pairs.push(random.pick(pairs));
  if (random.chance(0.02)) pairs.push(random.pick(['limit=%00', '=', 'a', '%ff=1', 'limit=%', '&&']));
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** The JSON unchanged, and occasionally something that no library would send. */
function bodyOf(json: string, { random }: Source): string | Buffer {
  if (random.chance(0.95)) return json;
  return random.pick([
    () => '',
    () => json.slice(0, -1),
    () => `${json.slice(0, -1)}${json === '{}' ? '' : ','}"text":"a","text":"b"}`,
    () => `[${json}]`,
    () => `\ufeff${json}`,
    () => Buffer.concat([Buffer.from('{"text":"'), Buffer.from([0xff, 0xc0, 0xaf]), Buffer.from('"}')]),
    () => `{"a":${'['.repeat(5_000)}`,
    () => `{"text":"${'x'.repeat(300_000)}"}`,
    () => json.replace('{', '{"__proto__":{"owner":"me"},'),
    () => 'null',
  ])();
}

function spareHeaders({ random, pool }: Source): Record<string, string> {
  if (random.chance(0.9)) return {};
  return random.pick([
    () => ({ 'idempotency-key': random.pick(['"r-1"', 'r-2', 'x'.repeat(300), '%00', '']) }),
    () => ({ 'svc-acting-for': pool.some(random) ?? 'me' }),
    () => ({ 'if-none-match': random.pick(['*', '"a"', 'W/"x"', ','.repeat(500)]) }),
    () => ({ origin: 'https://elsewhere.example' }),
    () => ({ host: random.pick(['elsewhere.example', 'localhost', '[::1]:1']) }),
    () => ({ accept: 'text/html' }),
    () => ({ 'accept-encoding': random.pick(['gzip', 'br', 'x']) }),
    () => ({ 'x-request-id': random.pick(['a', 'x'.repeat(500), 'ä']) }),
  ])();
}
