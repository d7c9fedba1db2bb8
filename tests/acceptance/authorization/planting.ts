import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { FieldKind, TextKind } from '@hearth/proto/options';
import { rulesOf } from '@hearth/proto-json';
import type { ApiClient, Reply } from '@hearth/testkit/home';
import { expectStatus } from '../../support/home.ts';
import { type Declared, declared } from './declared.ts';

/** Part of every planted text, in letters that no address has. */
export const marker = 'EVIL';

type Json = Record<string, unknown>;

/** Whether a request field takes free text of the caller: a line, lines, an app's reference, or free-form JSON. */
function takesText(field: DescField): boolean {
  const { text, kind } = rulesOf(field);
  if (field.message !== undefined) return isFreeForm(field.message);
  return text === TextKind.LINE || text === TextKind.LINES || kind === FieldKind.APP_REFERENCE;
}

const isFreeForm = ({ typeName }: DescMessage): boolean =>
  ['google.protobuf.Struct', 'google.protobuf.Value'].includes(typeName);

/** Paths of these fields in an operation's request: "text", "guest.name", "questions[].prompt". */
function textsOf(input: DescMessage, before = ''): string[] {
  return input.fields.flatMap((field) => {
    const path = `${before}${field.name}`;
    if (takesText(field)) return [path];
    const within = field.message;
    const own = within !== undefined && !within.typeName.startsWith('google.');
    return own ? textsOf(within, field.fieldKind === 'list' ? `${path}[].` : `${path}.`) : [];
  });
}

/** The operations by which callers other than the operator write, with the fields that take their text. */
export const writing: ReadonlyMap<string, readonly string[]> = new Map(
  declared
    .filter(({ method, callers }) => method !== 'GET' && [...callers].some((kind) => kind !== 'operator'))
    .map(({ id, desc }) => [id, textsOf(desc.input)] as const)
    .filter(([, texts]) => texts.length > 0),
);

/** Calls an operation for one caller, over REST or as a tool, and returns the answer. */
export type CallOperation = (operation: Declared, given: Json) => Promise<Json>;

/** Plants the marker in every text that operations take, and records where. */
export function createPlanting() {
  const planted = new Set<string>();
  return {
    planted,
    /**
     * Calls the operation with the marker in every text field.
     * @param given other fields, and text fields that need a different text; undefined omits a field. Items of a list
     * get the text that they lack.
     */
    async by(call: CallOperation, id: string, given: Json = {}): Promise<Json> {
      const operation = operationOf(id);
      const fields = writing.get(id)?.filter((path) => !(path in given)) ?? [];
      const request = structuredClone(given);
      for (const path of fields)
        plantAt(request, operation.desc.input, path, `${marker}_${id}_${path.replace('.', '_')}`);
      const answer = await call(operation, request);
      const lists = fields.filter((path) => !path.includes('[]') || path.split('[]')[0]! in given);
      for (const path of lists) planted.add(`${id} ${path}`);
      return answer;
    },
  };
}

function plantAt(request: Json, input: DescMessage, path: string, text: string): void {
  const [part, ...rest] = path.split('.');
  const name = part!.replace('[]', '');
  const field = input.fields.find((each) => each.name === name)!;
  if (name !== part) {
    const items = (request[name] ?? []) as Json[];
    for (const item of items)
      if (item[rest[0]!] === undefined) plantAt(item, field.message!, rest.join('.'), text);
    return;
  }
  if (rest.length > 0) {
    request[name] ??= {};
    plantAt(request[name] as Json, field.message!, rest.join('.'), text);
  } else if (field.message !== undefined) request[name] = { [text]: [text] };
  else request[name] = field.fieldKind === 'list' ? [text, `${text}_2`] : text;
}

export function operationOf(id: string): Declared {
  const operation = declared.find((each) => each.id === id);
  if (operation === undefined) throw new Error(`${id} is not declared`);
  return operation;
}

/** Calls over REST: path fields first, then the others as body or query. */
export const overRest =
  (client: ApiClient): CallOperation =>
  async ({ method, path, hasBody }, given) => {
    const rest = { ...given };
    const filled = path.replace(/\{([a-z_]+)\}/g, (_, name: string) => {
      const value = rest[name];
      delete rest[name];
      return encodeURIComponent(String(value));
    });
    const body = hasBody ? rest : undefined;
    const query = hasBody ? '' : `?${new URLSearchParams(rest as Record<string, string>)}`;
    return expectStatus(await client.request(method, `${filled}${query}`, body), 200, 201, 202).body;
  };

/** Sends a message to the MCP endpoint and returns its result. */
export async function rpc(client: ApiClient, method: string, params: Json, path = '/mcp'): Promise<Json> {
  const reply: Reply = await client.post(path, { jsonrpc: '2.0', id: 1, method, params });
  return expectStatus(reply, 200).body.result;
}
