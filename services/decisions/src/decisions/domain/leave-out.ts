import type { Clash, Proposal } from './decision.ts';

interface Named {
  proposal: Proposal | null;
  clash: Clash | null;
}

/** Proposal and clash without people hidden from the reader. */
export function leaveOut({ proposal, clash }: Named, isTold: (person: string) => boolean): Named {
  return {
    proposal: proposal && {
      ...proposal,
      answers: proposal.answers.map((answer) => ({ ...answer, people: answer.people.filter(isTold) })),
      bring: proposal.bring.filter(({ person }) => isTold(person)),
    },
    clash: clash && {
      ...clash,
      sides: clash.sides.map((side) => ({ ...side, people: side.people.filter(isTold) })),
    },
  };
}
