import type { Express, Request, Response } from 'express';
import {
  createExchange,
  type Exchange,
  type Fail,
  methodNotAllowed,
  type Observe,
  sendEmpty,
} from '../http/module.ts';

/** Answers one request for a page or document. */
export type AnswerPage = (exchange: Exchange) => Promise<void> | void;

export interface PagesOptions {
  app: Express;
  fail: Fail;
  observe: Observe;
}

/** Adds what is no declared operation: the same errors, methods and observation as those. */
export type AddPage = (name: string, path: string, answer: AnswerPage) => void;

const allow = ['GET', 'HEAD', 'OPTIONS'];

export function createAddPage({ app, fail, observe }: PagesOptions): AddPage {
  return (name, path, answer) => {
    const serve = async (exchange: Exchange): Promise<void> => {
      const { request, response } = exchange;
      try {
        if (request.method === 'OPTIONS') sendEmpty(response, 204, ['Allow', allow.join(', ')]);
        else if (request.method === 'GET' || request.method === 'HEAD') await answer(exchange);
        else throw methodNotAllowed(request.method, allow);
      } catch (thrown) {
        fail(exchange, thrown);
      }
    };
    app.all(path, (request: Request, response: Response) => {
      const exchange = createExchange(request, response, name, path);
      return observe(exchange, () => serve(exchange));
    });
  };
}
