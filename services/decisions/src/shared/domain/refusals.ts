import { badRequest, type HearthError } from '@hearth/errors';

/** The refusals of acts that a thing does not take as it stands. @param thing the word for it: plan */
export function refusalsOf(thing: string) {
  return {
    notWaiting: (words: string): HearthError =>
      badRequest(`this is not what the ${thing} waits for: ${words}`, { code: 'not_waiting' }),
    /** @param how it is: called off */
    over: (how: string): HearthError =>
      badRequest(`this ${thing} is ${how}, and nothing can be changed about it`, { code: 'already_settled' }),
  };
}
