import { answerFromData } from '../../offline/question/answer-from-data.ts';

export const handlers = { answer: answerFromData };
