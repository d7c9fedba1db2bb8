import { equalityDigest } from '@hearth/federation/log/item';
import { canonicalize, type JsonObject } from '@hearth/signing';
import { items, sign } from './item-vectors.ts';
import { conversationCases, shortConversation } from './log-vectors.ts';
import { type RequestBytes, requestCases } from './request-vectors.ts';

// The example bytes in the protocol's documents, taken from the vectors.

const block = (kind: string, text: string) => `\`\`\`${kind}\n${text}\n\`\`\`\n`;

function printRequest({ method, path, headers, body }: RequestBytes): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  return [`${method} /federation${path} HTTP/1.1`, ...lines, ...(body === '' ? [] : ['', body])].join('\n');
}

function printSigned(name: string): string {
  const { request, base } = requestCases().find((vector) => vector.name === name)!;
  return `${block('http', printRequest(request))}\nThe signature base:\n\n${block('text', base!)}`;
}

export const workedRequest = () => printSigned('with a body');
export const workedQuestion = () => printSigned('without a body');

/** Renders an item, its signed text, and the digest by which two items are equal. */
export function workedItem(): string {
  const item = sign(items.notice) as JsonObject & { signature: { protected: string } };
  const { signature, ...rest } = item;
  const header = Buffer.from(signature.protected, 'base64url').toString();
  return [
    block('json', JSON.stringify(item)),
    'The header in `protected`, and the canonical text (RFC 8785). The signature covers `protected`, a full stop, and base64url of that text:',
    block('text', `${header}\n\n${canonicalize(rest)}`),
    `The SHA-256 by which a receiving home compares items: \`${equalityDigest(item).toString('hex')}\`.\n`,
  ].join('\n');
}

/** Renders the acts that a restored home asks back: one act with its result. */
export function workedReturn(): string {
  const act = sign({ ...items.act, seq: 4 });
  const { status, answer } = items.result.body;
  const body = { acts: [{ epoch: 1_768_471_200, act, result: { status, answer } }], more: false };
  const path = '/items?yours=acts&epoch=1768471200&after=3&limit=200';
  return block('text', `GET ${path}\n\n200\n${JSON.stringify(body)}`);
}

/** Renders the bodies of a conversation. */
export function workedExchange(): string {
  const { steps } = conversationCases().find(({ name }) => name === shortConversation)!;
  const lines = steps.flatMap(({ restored_to: restored, request: { method, path, body }, answer }) => [
    ...(restored === undefined ? [] : ['(the receiver was restored from a backup)\n']),
    `${method} ${path}\n${body}\n`,
    `${answer.status}\n${answer.body}\n`,
  ]);
  return block('text', lines.join('\n').trimEnd());
}
