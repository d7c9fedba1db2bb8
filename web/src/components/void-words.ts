/** Why a yes doesn't count, as the record of its ask says. A newer home may give other reasons. */
export const voidWords: Readonly<Record<string, string>> = {
  archived: 'the group was archived before the answer was signed.',
  asker_gone: 'the account that asked was deleted or switched off before the answer was signed.',
  no_say: 'the approver could no longer decide this when the answer was signed.',
};
