/**
 * Identifiers that travel in records, on the wire and in file names.
 * All are branded strings, so that a turn id cannot be handed over where a strand id is wanted.
 */
import { z } from 'zod';

/** 12 characters of [0-9a-z], unique within one strand file. */
export const recordIdSchema = z
  .string()
  .regex(/^[0-9a-z]{12}$/)
  .brand('RecordId');
export type RecordId = z.infer<typeof recordIdSchema>;

/** 12 lower-case hex characters; commands accept a unique prefix and show 8. */
export const strandIdSchema = z
  .string()
  .regex(/^[0-9a-f]{12}$/)
  .brand('StrandId');
export type StrandId = z.infer<typeof strandIdSchema>;

/** Id of one undo, redo or restore operation: 12 characters of [0-9a-z]. */
export const opIdSchema = z
  .string()
  .regex(/^[0-9a-z]{12}$/)
  .brand('OpId');
export type OpId = z.infer<typeof opIdSchema>;

/** A content hash: sha256 in 64 lower-case hex characters. */
export const sha256Schema = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .brand('Sha256');
export type Sha256 = z.infer<typeof sha256Schema>;

/** A turn is named by the id of the prompt that opened it. */
export type TurnId = RecordId;
