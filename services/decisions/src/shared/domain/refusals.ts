import { badRequest, type HearthError } from '@hearth/errors';

/** The errors for acts that a thing's state doesn't take. @param thing the word for it, such as plan */
export function refusalsOf(thing: string) {
  return {
    notWaiting: (words: string): HearthError =>
      badRequest(`this is not what the ${thing} waits for: ${words}`, { code: 'not_waiting' }),
    /** @param how its state, such as called off */
    over: (how: string): HearthError =>
      badRequest(`this ${thing} is ${how}, and nothing can be changed about it`, { code: 'already_settled' }),
  };
}
