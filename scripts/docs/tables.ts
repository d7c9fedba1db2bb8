import { readFileSync } from 'node:fs';
import { type DescMethod, getOption, hasOption } from '@bufbuild/protobuf';
import { describe, homeDeclaration, markdownTable } from '@hearth/config';
import { errorKinds } from '@hearth/errors';
import { callerKinds, type Limit, readLimits } from '@hearth/limits';
import { ProfileService } from '@hearth/proto/gateway/v1/profile';
import { http } from '@hearth/proto/google/api/annotations';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { MessagesService } from '@hearth/proto/messages/v1/messages';
import { CallerKind, operation, Scope } from '@hearth/proto/options';
import { services } from '@hearth/proto/services';
import { loadComments } from '@hearth/proto-json';
import { appEvents, wakeUps } from '@hearth/webhooks';
import {
  workedExchange,
  workedItem,
  workedQuestion,
  workedRequest,
  workedReturn,
} from '../../interop/src/worked.ts';
import { root } from './documents.ts';

const { signUp } = IdentityService.method;
const { whoami, getCard } = ProfileService.method;
const ownMethods = IdentityService.methods.filter((method) => method !== signUp);

/** The documents' generated tables, by the name at their place. */
export const tables: Readonly<Record<string, () => string>> = {
  // A `<PORT>` outside of code would be read as a tag and disappear.
  variables: () => markdownTable(describe(homeDeclaration)).replaceAll('<', '&lt;'),
  'limits by caller': () => limitsTable(true),
  'limits of all': () => limitsTable(false),
  statuses: statusesTable,
  'operations of messages': () => operationsTable(MessagesService.methods),
  'operations of identity': () => operationsTable([signUp, whoami, getCard, ...ownMethods]),
  scopes: scopesTable,
  'events of apps': appEventsTable,
  'wake ups': wakeUpsTable,
  'a request': workedRequest,
  'a question': workedQuestion,
  'an item': workedItem,
  'an exchange': workedExchange,
  'acts asked back': workedReturn,
  'a home document': vector('records/home-documents.json', 'signed by one active key'),
  'a message': vector('federation/items.json', 'message'),
  'an erasure': vector('federation/items.json', 'erased'),
  'a skip': vector('federation/items.json', 'skip'),
  'a signed answer': vector('records/records.json'),
  'an agreement': vector('records/agreements.json', 'signed by the home alone'),
};

const begin = (name: string) => `<!-- generated: ${name} -->\n`;
const end = '<!-- end of generated -->';
const place = /<!-- generated: ([a-z ]+) -->\n[\s\S]*?<!-- end of generated -->/g;

/** The document with its generated tables up to date. Throws for a table without a generator. */
export function withFreshTables(document: string): string {
  return document.replaceAll(place, (_whole, name: string) => {
    const make = tables[name];
    if (make === undefined)
      throw new Error(`no table is called "${name}"; there are ${Object.keys(tables).join(', ')}`);
    return `${begin(name)}${make()}${end}`;
  });
}

/** The names of a document's tables. */
export function tablesIn(document: string): string[] {
  return [...document.matchAll(place)].map((match) => match[1] as string);
}

/** A case of our vectors, verbatim. @param name of the case; by default the first */
function vector(path: string, name?: string): () => string {
  return () => {
    const url = new URL(`interop/vectors/${path}`, root);
    const { cases } = JSON.parse(readFileSync(url, 'utf8')) as { cases: VectorCase[] };
    const found = cases.find((entry) => name === undefined || entry.name === name);
    if (found === undefined) throw new Error(`${path} has no case "${name}"`);
    const shown = found.object ?? found.item ?? found.record;
    return `\`\`\`json\n${JSON.stringify(shown, null, 2)}\n\`\`\`\n`;
  };
}

interface VectorCase {
  name: string;
  object?: object;
  item?: object;
  record?: object;
}

/** Limits that differ by kind of caller, with a column for each kind, or limits equal for every caller. */
function limitsTable(byCaller: boolean): string {
  const limits: Limit[] = Object.values(readLimits(undefined, { homeName: 'home.example' }));
  const rows = limits.flatMap(({ name, meaning, unit, windowSeconds, values, fixed }) => {
    const cells = callerKinds.map((kind) => (values[kind] === null ? 'no bound' : String(values[kind])));
    const distinct = [...new Set(cells)];
    if (distinct.length > 1 !== byCaller) return [];
    const shown = byCaller ? cells : distinct;
    return [[`\`${name}\``, meaning, ...shown, unit, windowWords(windowSeconds), fixed ? 'no' : 'yes']];
  });
  const heads = byCaller ? callerKinds : ['Value'];
  return printTable(['Name', 'Bounds', ...heads, 'Unit', 'Window', 'Settable'], rows);
}

function windowWords(seconds: number | undefined): string {
  const words: Readonly<Record<number, string>> = { 60: 'a minute', 3600: 'an hour', 86400: 'a day' };
  return seconds === undefined ? '' : (words[seconds] ?? `${seconds} s`);
}

function statusesTable(): string {
  const rows = Object.entries(errorKinds).map(([kind, { http: status, grpc }]) => [
    `\`${kind}\``,
    `${status}`,
    `${grpc}`,
  ]);
  return printTable(['Kind', 'HTTP', 'gRPC'], rows);
}

function operationsTable(methods: readonly DescMethod[]): string {
  const comments = loadComments();
  const rows = methods.flatMap((method) => {
    if (!hasOption(method, operation) || !hasOption(method, http)) return [];
    const { id, scope } = getOption(method, operation);
    const { case: verb, value } = getOption(method, http).pattern;
    const [summary = ''] = comments.of(method).split('\n');
    const needs = scope === Scope.UNSPECIFIED ? '' : (Scope[scope] as string).toLowerCase();
    return [[`\`${id}\``, `\`${verb?.toUpperCase()} ${value}\``, needs, summary]];
  });
  return printTable(['Operation', 'Method and path', 'Permission', 'What it does'], rows);
}

/** The operations that each scope allows; an operation that takes either of two scopes is listed with both. */
function scopesTable(): string {
  const declared = services
    .flatMap(({ methods }) => methods.filter((method) => hasOption(method, operation)))
    .map((method) => getOption(method, operation))
    // Programs act as AIs, so the operations for people only are left out.
    .filter(
      ({ callers, personOnly }) => !personOnly && (callers.length === 0 || callers.includes(CallerKind.AI)),
    );
  const rows = Object.values(Scope)
    .filter((scope): scope is Scope => typeof scope === 'number' && scope !== Scope.UNSPECIFIED)
    .map((scope) => {
      const theirs = declared.filter((one) => one.scope === scope || one.orScope === scope);
      return [`\`${(Scope[scope] as string).toLowerCase()}\``, theirs.map(({ id }) => `\`${id}\``).join(' ')];
    });
  return printTable(['Scope', 'Opens'], rows);
}

function appEventsTable(): string {
  const rows = appEvents.map(({ name, description, schema }) => [
    `\`${name}\``,
    description,
    Object.keys(schema.properties ?? {})
      .map((field) => `\`${field}\``)
      .join(' '),
  ]);
  return printTable(['Type', 'When', 'data'], rows);
}

function wakeUpsTable(): string {
  const rows = wakeUps.map(({ name, description, schema, groupFilter, withoutOwner }) => [
    `\`${name}\``,
    description,
    Object.keys(schema.properties ?? {})
      .map((field) => `\`${field}\``)
      .join(' '),
    groupFilter ? 'yes' : '',
    withoutOwner ? 'yes' : '',
  ]);
  return printTable(['Name', 'When', 'data', 'Of a group', 'Without an owner'], rows);
}

function printTable(head: readonly string[], rows: readonly string[][]): string {
  const lines = [head, head.map(() => '---'), ...rows].map(
    (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')).join(' | ')} |`,
  );
  return `${lines.join('\n')}\n`;
}
