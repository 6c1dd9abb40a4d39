import { useState } from 'react';
import { m } from '#messages';
import type { SignInChoice } from '#accounts/sign-in-kinds.ts';
import { BrandMark } from '#accounts/web/brand-marks.tsx';
import { leaveToSignIn, signInChoices } from '#accounts/web/social.ts';
import { failureOf } from '#ui/web/form-errors.ts';

interface SocialButtonsProps {
  /** Runs before the browser leaves for the provider. */
  onLeave?: () => void;
  /** Says that they are another way than the form above them. */
  isAfterForm?: boolean;
}

/** "Continue with Google", "Continue with Apple" and others, for each sign-in provider of the shop. */
export function SocialButtons({ onLeave, isAfterForm = false }: SocialButtonsProps) {
  const [state, setState] = useState<{ leavingFor: string | null; message?: string | undefined }>({ leavingFor: null });
  const choices = signInChoices();
  if (choices.length === 0) return null;
  const go = ({ id }: SignInChoice) => {
    if (state.leavingFor !== null) return;
    setState({ leavingFor: id });
    onLeave?.();
    leaveToSignIn(id).catch((error: unknown) => setState({ leavingFor: null, message: failureOf(error).message }));
  };
  return (
    <div className="grid gap-3">
      {isAfterForm && <p className="text-center text-ink-soft">{m.accounts_or()}</p>}
      {choices.map((choice) => (
        <SocialButton
          key={choice.id}
          choice={choice}
          isLeaving={state.leavingFor === choice.id}
          onClick={() => go(choice)}
        />
      ))}
      {state.message && (
        <p role="alert" className="font-semibold text-bad-text">
          {state.message}
        </p>
      )}
    </div>
  );
}

const looks: Record<SignInChoice['kind'], string> = {
  google: 'btn-google',
  apple: 'btn-apple',
  other: 'btn-quiet min-h-13 text-lg',
};

function SocialButton(props: { choice: Omit<SignInChoice, 'id'>; isLeaving: boolean; onClick: () => void }) {
  const { choice, isLeaving, onClick } = props;
  return (
    <button
      type="button"
      className={`btn ${looks[choice.kind]}`}
      aria-disabled={isLeaving}
      aria-busy={isLeaving}
      onClick={onClick}
    >
      <BrandMark kind={choice.kind} />
      {m.accounts_social_continue({ name: choice.name })}
    </button>
  );
}
