import { type Db, named } from '@hearth/db';
import type { GivenAnswer, Question } from '../domain/decision.ts';

/** A person's answer in an earlier decision. */
export interface EarlierAnswer {
  question: string;
  answer: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** The person's last twenty answers in earlier agreed decisions of the group, oldest first, without assumed ones. */
export async function listSaid(db: Db, person: string, group: string): Promise<EarlierAnswer[]> {
  type Found = { questions: Question[]; answers: GivenAnswer[] };
  const rows = await db.query<Found>(named('participants_list_said')`
    select d.questions, p.answers from decisions.participants p
    join decisions.decisions d on d.id = p.decision
    where p.person = ${person} and d."group" = ${group} and d.status = 'agreed'
    order by d.settled_at desc limit 20`);
  const said = rows.flatMap(({ questions, answers }) =>
    answers.flatMap(({ question, answer, assumed, at }) => {
      const asked = questions.find(({ id }) => id === question);
      return assumed || asked === undefined
        ? []
        : [{ question: asked.prompt, answer: typeof answer === 'string' ? answer : answer.join(', '), at }];
    }),
  );
  return said.sort((one, other) => one.at - other.at).slice(-20);
}
