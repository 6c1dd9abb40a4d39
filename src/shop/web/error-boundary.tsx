import { Component, type ContextType, type ReactNode, Suspense } from 'react';
import { ShopContext } from '#shop/web/shop.ts';
import { LoadFailure } from '#ui/web/load-states.tsx';

interface ErrorBoundaryProps {
  children: ReactNode;
  /**
   * Called after an error. If it is set, neither a message nor a retry is shown, and the content is missing until the
   * shop is loaded.
   */
  onError?: () => void;
}

/**
 * Catches the errors of content. The retry refetches the shop if the shop is missing, and otherwise reloads the page.
 */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: unknown }> {
  static override contextType = ShopContext;
  declare context: ContextType<typeof ShopContext>;
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch() {
    const { onError } = this.props;
    if (!onError) return;
    onError();
    const unsubscribe = this.context?.subscribe(() => {
      unsubscribe?.();
      this.setState({ error: null });
    });
  }

  override render() {
    if (this.state.error === null) return this.props.children;
    return this.props.onError ? null : <LoadFailure error={this.state.error} onRetry={this.retry} />;
  }

  retry = () => {
    const shop = this.context;
    if (!shop || shop.read() || !shop.retry()) return location.reload();
    this.setState({ error: null });
  };
}

/** Content that the page does not need. It renders nothing while it loads, or after it failed. */
export function OptionalContent({ children, onError }: Required<ErrorBoundaryProps>) {
  return (
    <ErrorBoundary onError={onError}>
      <Suspense fallback={null}>{children}</Suspense>
    </ErrorBoundary>
  );
}
