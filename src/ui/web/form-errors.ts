import { plainContactText, toPlainLine } from '#platform/plain-text.ts';
import { m } from '#messages';
import type { FieldErrors } from '#platform/errors.ts';
import { ApiError } from '#platform/web/api.ts';

/**
 * The errors that the browser's own validation finds in a form, by field. A field's `data-missing` replaces the
 * browser's message for an empty value, and `data-wrong` any other message.
 */
export function browserFormErrors(form: HTMLFormElement): FieldErrors {
  const errors: FieldErrors = {};
  for (const element of form.elements) {
    if (!(element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)) continue;
    // Pasted invisible characters are removed, because browsers refuse them.
    if (element.type === 'email' || element.type === 'tel') element.value = plainContactText(element.value);
    if (element.validity.valid || !element.name) continue;
    const { missing, wrong } = element.dataset;
    const words = element.validity.valueMissing ? missing : wrong;
    errors[element.name] = [words ?? element.validationMessage];
  }
  return errors;
}

export interface FormFailure {
  errors: FieldErrors;
  /** The message of an error without a field. */
  message?: string;
}

export const noFormFailure: FormFailure = { errors: {} };

/** Removes the errors of a corrected field and of its parts, such as `lines` and `lines.2`. */
export function withoutFieldErrors({ errors, ...rest }: FormFailure, name: string): FormFailure {
  const left = Object.entries(errors).filter(([field]) => field !== name && !field.startsWith(`${name}.`));
  return { ...rest, errors: Object.fromEntries(left) };
}

/** Converts a failed call's error to form errors: by field if it names fields, otherwise one message for the form. */
export function formFailureOf(error: unknown): FormFailure {
  if (!(error instanceof ApiError)) return { errors: {}, message: m.platform_internal() };
  if (Object.keys(error.errors).length > 0) return { errors: error.errors };
  if (error.code === 'offline') return { errors: {}, message: m.platform_offline() };
  if (error.status === 429) return { errors: {}, message: error.message || m.platform_too_many_requests() };
  return { errors: {}, message: error.message || m.platform_internal() };
}

/** Reads a field's text from a form, without pasted invisible characters. */
export function formFieldPlainText(form: FormData, name: string): string {
  return toPlainLine(formFieldText(form, name));
}

export function formFieldText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
