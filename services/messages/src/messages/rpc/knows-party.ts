import type { MessagesService } from '@hearth/proto/messages/v1/messages';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';

export const knowsParty =
  ({ contacts }: Context): UnaryHandler<typeof MessagesService.method.knowsParty> =>
  async ({ owners, others }) => ({ known: await contacts.knows(owners, others) });
