import "cpsrl-playground";
