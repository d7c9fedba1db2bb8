import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import express from 'express';
import { classesOf } from './app-classes.ts';

test('requests and responses start with the prototypes that express sets', () => {
  const app = express();
  const classes = classesOf(app);
  const request = new classes.IncomingMessage(new Socket());
  const response = new classes.ServerResponse(request);
  expect(Object.getPrototypeOf(request)).toBe(app.request);
  expect(Object.getPrototypeOf(response)).toBe(app.response);
  expect(request).toBeInstanceOf(IncomingMessage);
  expect(response).toBeInstanceOf(ServerResponse);
});
