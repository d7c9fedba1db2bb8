import { CallerKind } from '@hearth/proto/options';
import type { JsonSchema } from '@hearth/proto-json';
import { scopesOf } from '../credentials/module.ts';
import type { Operation } from '../operations/module.ts';

/** The scopes that a sign-in for a person may ask for, described as on the page where they agree. */
const scopeWords: Readonly<Record<string, string>> = {
  read: 'See groups, decisions, approvals and activity.',
  notes: 'Keep private notes.',
  message: 'Send messages to one person, ask for approvals, describe itself.',
  group: 'Post to groups, start and answer decisions.',
  invite: 'Invite people into groups that the person organizes.',
  approve: 'Approve or decline for the person, never anything about a child.',
};

/** `components.securitySchemes` */
export function securitySchemes(siteUrl: string): Record<string, JsonSchema> {
  return {
    key: {
      type: 'http',
      scheme: 'bearer',
      description:
        'The key of an AI (connector_key), of an app, or of the operator. An app says with Svc-Acting-For for whom it acts.',
    },
    oauth: {
      type: 'oauth2',
      description: 'A program that signs in for a person, and then acts as one of their AIs.',
      flows: {
        authorizationCode: {
          authorizationUrl: `${siteUrl}/oauth/authorize`,
          tokenUrl: `${siteUrl}/oauth/token`,
          refreshUrl: `${siteUrl}/oauth/token`,
          scopes: scopeWords,
        },
      },
    },
  };
}

/** How a caller of the operation may show who they are; an empty one stands for not at all. */
export function securityOf(operation: Operation): JsonSchema[] {
  const { callers, personOnly } = operation.declared;
  if (callers.includes(CallerKind.ANONYMOUS)) return [{}, { key: [] }];
  // A program that signed in by OAuth acts as an AI.
  const byOAuth = callers.includes(CallerKind.AI) && !personOnly;
  if (!byOAuth) return [{ key: [] }];
  const scopes = scopesOf(operation);
  return [
    { key: [] },
    ...(scopes.length === 0 ? [{ oauth: [] }] : scopes.map((scope) => ({ oauth: [scope] }))),
  ];
}
