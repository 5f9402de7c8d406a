"""torch.autograd.grad_mode's names: what a thread records."""

from tenon._grad import enable_grad, inference_mode, no_grad, set_grad_enabled

__all__ = ["enable_grad", "inference_mode", "no_grad", "set_grad_enabled"]
