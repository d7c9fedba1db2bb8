import { isHearthError } from '@hearth/errors';
import type { LinksService } from '@hearth/proto/delivery/v1/links';
import { anyone, type Client } from '@hearth/rpc';
import type { OpenLink } from './people-page.ts';

/** By the word of delivery, which made the link. While it is away a link opens nothing, and the page asks to sign in. */
export function createOpenLink(delivery: Pick<Client<typeof LinksService>, 'openLink'>): OpenLink {
  return async (token, path) => {
    try {
      const { viewer } = await delivery.openLink({ token, path }, { caller: anyone });
      return viewer ?? null;
    } catch (error) {
      if (isHearthError(error) && error.kind === 'unavailable') return null;
      throw error;
    }
  };
}
