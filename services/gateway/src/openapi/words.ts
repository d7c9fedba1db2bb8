import { CallerKind, Scope } from '@hearth/proto/options';
import { type Comments, firstSentence } from '@hearth/proto-json';
import { scopeName } from '../credentials/module.ts';
import type { Operation } from '../operations/module.ts';

/** The first sentence of an rpc's comment, without its full stop. */
export function summaryOf({ desc, id }: Operation, comments: Comments): string {
  const sentence = firstSentence(comments.of(desc).split('\n')[0]);
  return sentence.replace(/\.$/, '') || id;
}

/** `summary` and `description` of an operation: its comment in two parts, who may call it and how long it can be held. */
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
  if (callers.includes(CallerKind.ANONYMOUS)) return 'No key is needed.';
  const kinds = callers.map((kind) => CallerKind[kind].toLowerCase());
  if (callers.includes(CallerKind.AI) && !callers.includes(CallerKind.APP))
    kinds.push('app that acts for an ai');
  const needs =
    scope === Scope.UNSPECIFIED
      ? ''
      : ` An AI or a person's sign-in needs the permission ${namesOf([scope, orScope])}.`;
  return `May be called by: ${kinds.join(', ')}.${needs}${personOnly ? ' A person must do it: no AI can.' : ''}`;
}

/** "message" or "approve" */
const namesOf = (scopes: readonly Scope[]): string =>
  scopes
    .filter((scope) => scope !== Scope.UNSPECIFIED)
    .map((scope) => `"${scopeName(scope)}"`)
    .join(' or ');

function waitWords({ declared }: Operation): string {
  const { longestWaitSeconds } = declared;
  return longestWaitSeconds === 0 ? '' : `With \`wait\` it is held for up to ${longestWaitSeconds} seconds.`;
}
