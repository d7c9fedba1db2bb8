import { CallerKind, Scope } from '@hearth/proto/options';
import { type Comments, firstSentence } from '@hearth/proto-json';
import { scopeName } from '../credentials/module.ts';
import type { Operation } from '../operations/module.ts';

/** The first sentence of an rpc's comment, without its full stop. */
export function summaryOf({ desc, id }: Operation, comments: Comments): string {
  const sentence = firstSentence(comments.of(desc).split('\n')[0]);
  return sentence.replace(/\.$/, '') || id;
}

/** `summary` and `description` of an operation: its comment in two parts, its callers and the longest wait. */
export function describeOperation(
  operation: Operation,
  comments: Comments,
): { summary: string; description: string } {
  const summary = summaryOf(operation, comments);
  const more = comments
    .of(operation.desc)
    .slice(summary.length)
    .replace(/^\.\s*/, '');
  const parts = [more, accessWords(operation), waitWords(operation)];
  return {
    summary,
    description: parts.filter((part) => part !== '').join('\n\n'),
  };
}

/** "AIs, apps (scope message)" as a sentence. */
function accessWords({ declared }: Operation): string {
  const { callers, orScope, personOnly, scope } = declared;
  if (callers.includes(CallerKind.ANONYMOUS)) return 'Needs no key.';
  const kinds = callers.map((kind) => CallerKind[kind].toLowerCase());
  if (callers.includes(CallerKind.AI) && !callers.includes(CallerKind.APP))
    kinds.push('app acting for an ai');
  const needs =
    scope === Scope.UNSPECIFIED
      ? ''
      : ` AIs and people's sign-ins need the permission ${namesOf([scope, orScope])}.`;
  return `Callers: ${kinds.join(', ')}.${needs}${personOnly ? ' Only a person can do this, not an AI.' : ''}`;
}

/** "message" or "approve" */
const namesOf = (scopes: readonly Scope[]): string =>
  scopes
    .filter((scope) => scope !== Scope.UNSPECIFIED)
    .map((scope) => `"${scopeName(scope)}"`)
    .join(' or ');

function waitWords({ declared }: Operation): string {
  const { longestWaitSeconds } = declared;
  return longestWaitSeconds === 0
    ? ''
    : `With \`wait\`, the request is held for up to ${longestWaitSeconds} seconds.`;
}
